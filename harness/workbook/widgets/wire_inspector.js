// The live view of the wire inspector. Python sends `view`; pointing and focus are linked here, without the kernel.
// Every element with data-v holds values of the subject, by their numbers; elements that share one light up together.

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

const numbers = (marked) => marked.dataset.v.split(" ");

function render({ model, el }) {
  const root = element("section", { className: "hw hwi", ariaLabel: "Wire inspector" });
  const state = { panes: new Map(), pinned: null, pending: null, waiting: false, number: 0 };

  // ---- asking Python: one question at a time; while it works only the newest edit waits

  function ask(question) {
    if (state.waiting) {
      state.pending = question;
      return;
    }
    state.waiting = true;
    state.number += 1;
    model.send({ ...question, number: state.number });
  }

  function answered(number) {
    if (number !== state.number) return;
    state.waiting = false;
    const next = state.pending;
    state.pending = null;
    if (next) ask(next);
  }

  // ---- the parts that stay

  const name = element("strong", { className: "hwi-name" });
  const hint = element("small", { className: "hwi-hint" });
  const choice = element("fieldset", { className: "hwi-choice" });
  const row = element("div", { className: "hw-row" });
  const same = element("div");
  const code = element("pre", { className: "hw-pre" });
  const spoken = element("div", { className: "hw-sr", role: "status" });
  const keys = element("small", {},
    "Point at a value marked ◇, or focus it (Tab, then the arrow keys): ◆ marks the same value elsewhere. "
    + "Enter keeps it lit, Escape lets go.");
  root.append(
    element("div", { className: "hwi-head" }, name, hint), choice, keys, row, same,
    element("details", {}, element("summary", {}, "The same in plain code"), code), spoken,
  );

  const here = makePane("here", "");
  const form = element("div", { className: "hwi-form" });
  here.box.classList.add("hwi-here");
  here.box.insertBefore(form, here.problem);
  row.append(here.box);

  function makePane(wire, label) {
    const title = element("strong", {}, label);
    const pre = element("pre", { className: "hw-pre", role: "group", ariaLabel: `${label || "The subject"} as JSON` });
    const notes = element("div");
    const open = element("button", { type: "button" });
    const problem = element("p", { className: "hw-error", role: "alert", hidden: true });
    const input = element("textarea", { rows: 12, spellcheck: false, hidden: true });
    const apply = element("button", { type: "button", hidden: true });
    const box = element("section", { className: "hw-pane", ariaLabel: label },
      element("div", { className: "hwi-bar" }, title, open, apply), input, problem, pre, notes);
    const pane = { wire, title, pre, notes, open, problem, input, apply, box, json: "", html: null, writing: false };
    open.addEventListener("click", () => write(pane, !pane.writing));
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      write(pane, false);
      open.focus();
    });
    apply.addEventListener("click", () => {
      const question = wire === "here" ? { do: "replace" } : { do: "paste", wire };
      pane.asked = state.number + 1;
      ask({ ...question, text: input.value });
    });
    return pane;
  }

  /** Open or close the text field of a pane. What was typed stays in it until it was taken. */
  function write(pane, on) {
    pane.writing = on;
    if (pane.input.value === pane.offered) pane.input.value = "";
    pane.input.hidden = pane.apply.hidden = !on;
    pane.pre.hidden = on || !pane.html;
    if (!on) pane.problem.hidden = true;
    labels(pane);
    if (!on) return;
    if (!pane.input.value) {
      pane.input.value = pane.offered = pane.json;
      pane.input.select();
    }
    pane.input.focus();
  }

  function labels(pane) {
    const ours = pane.wire === "here";
    const where = ours ? "the subject" : pane.title.textContent;
    pane.open.textContent = pane.writing ? "Close" : ours ? "Edit JSON" : "Paste JSON";
    pane.open.ariaLabel = `${pane.open.textContent}: ${where}`;
    pane.open.ariaExpanded = String(pane.writing);
    pane.apply.textContent = ours ? "Take it" : "Read it back";
    pane.apply.ariaLabel = `${pane.apply.textContent}: ${where}`;
    pane.input.ariaLabel = ours ? "JSON of the subject" : `JSON of ${where} to read back`;
  }

  // ---- painting: what has not changed is left alone, and so is a field that has the focus

  function paint() {
    const view = model.get("view");
    name.textContent = `Wire inspector: ${view.name}`;
    hint.textContent = view.hint;
    code.textContent = view.code;
    paintChoice(view.offered);
    paintPane(here, { ...view.here, label: view.name, notes: "" }, view);
    here.open.hidden = !view.here.html;
    paintForm(view.here.form);
    const wires = view.panes.map((pane) => pane.wire);
    for (const [wire, pane] of state.panes) {
      if (wires.includes(wire)) continue;
      pane.box.remove();
      state.panes.delete(wire);
    }
    view.panes.forEach((seen, index) => {
      const pane = state.panes.get(seen.wire) ?? makePane(seen.wire, seen.label);
      state.panes.set(seen.wire, pane);
      if (row.children[index + 1] !== pane.box) row.insertBefore(pane.box, row.children[index + 1] ?? null);
      paintPane(pane, seen, view);
    });
    const open = same.firstElementChild?.open;
    if (same.html !== view.same) {
      same.innerHTML = same.html = view.same;
      same.firstElementChild.open = Boolean(open);
    }
    answered(view.answered);
    relight();
  }

  function paintPane(pane, seen, view) {
    pane.title.textContent = pane.box.ariaLabel = seen.label;
    pane.json = seen.json;
    const problem = view.problems[pane.wire] ?? "";
    pane.problem.textContent = problem;
    pane.problem.hidden = !problem;
    if (pane.asked === view.answered && pane.writing && !problem) {
      pane.input.value = "";
      write(pane, false);
      pane.open.focus();
    }
    labels(pane);
    pane.pre.hidden = pane.writing || !seen.html;
    if (pane.notes.html !== seen.notes) pane.notes.innerHTML = pane.notes.html = seen.notes;
    if (pane.html === seen.html) return;
    pane.html = seen.html;
    const focused = pane.pre.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    pane.pre.innerHTML = seen.html;
    const marked = values(pane.pre);
    for (const value of marked) {
      value.role = "button";
      value.ariaPressed = "false";
      value.tabIndex = -1;
    }
    if (marked.length) marked[0].tabIndex = 0;
    const again = focused && marked.find((value) => value.dataset.at === focused);
    if (again) again.focus();
  }

  function paintForm(fields) {
    const wanted = fields.map((field) => `${field.name}/${field.entry}`).join();
    if (form.wanted !== wanted) {
      form.wanted = wanted;
      form.replaceChildren(...fields.map(makeField));
    }
    fields.forEach((field, index) => {
      const box = form.children[index];
      const input = box.querySelector("input, textarea");
      box.dataset.v = field.v;
      if (input === document.activeElement && input.type !== "checkbox") return;
      if (input.type === "checkbox") input.checked = field.text === "true";
      else if (input.value !== field.text) input.value = field.text;
    });
  }

  function makeField(field) {
    const long = field.entry === "text" || field.entry === "json";
    const input = field.entry === "check" ? element("input", { type: "checkbox" })
      : long ? element("textarea", { rows: field.entry === "json" ? 3 : 4, spellcheck: false })
        : element("input", { type: "text", spellcheck: false });
    const send = () => ask({
      do: "edit", field: field.name, text: input.type === "checkbox" ? input.checked : input.value,
    });
    input.addEventListener(input.type === "checkbox" ? "change" : "input", send);
    const note = field.entry === "json" ? " (JSON)" : "";
    return element("label", { className: "hwi-field" }, element("span", {}, field.name + note), input);
  }

  function paintChoice(offered) {
    const wanted = JSON.stringify(offered);
    if (choice.wanted === wanted) return;
    choice.wanted = wanted;
    const boxes = offered.map(({ wire, label, shown }) => {
      const input = element("input", { type: "checkbox", checked: shown, value: wire });
      input.addEventListener("change", () => {
        const wires = [...choice.querySelectorAll("input:checked")].map((box) => box.value);
        ask({ do: "show", wires });
      });
      return element("label", {}, input, ` ${label}`);
    });
    const focused = choice.contains(document.activeElement) ? document.activeElement.value : null;
    choice.replaceChildren(element("legend", {}, "Wires"), ...boxes);
    if (focused) choice.querySelector(`input[value="${focused}"]`)?.focus();
  }

  // ---- lighting the same value everywhere

  const values = (within) => [...within.querySelectorAll("[data-v]")].filter((marked) => marked.dataset.v);

  function light(source) {
    const lit = source && source.dataset.v ? new Set(numbers(source)) : new Set();
    for (const marked of values(root)) {
      marked.classList.toggle("hw-lit", numbers(marked).some((number) => lit.has(number)));
    }
    for (const pre of row.querySelectorAll("pre")) {
      if (!pre.contains(source)) reveal(pre);
    }
  }

  /** Scroll a pane (never the page) to its first lit value, unless one is in sight. */
  function reveal(pre) {
    const lit = [...pre.querySelectorAll(".hw-lit")];
    const seen = pre.getBoundingClientRect();
    const tops = lit.map((marked) => marked.getBoundingClientRect().top - seen.top);
    if (tops.length && !tops.some((top) => top >= 0 && top < pre.clientHeight)) {
      pre.scrollTop += tops[0] - pre.clientHeight / 2;
    }
  }

  function relight() {
    if (state.pinned && !root.contains(state.pinned)) state.pinned = null;
    const focused = root.contains(document.activeElement) ? document.activeElement.closest("[data-v]") : null;
    light(state.pinned ?? focused);
  }

  function pin(source) {
    state.pinned = source === state.pinned ? null : source;
    for (const value of row.querySelectorAll("[aria-pressed]")) value.ariaPressed = String(value === state.pinned);
    relight();
  }

  function say(source) {
    const mine = source.closest(".hw-pane");
    const lit = new Set(numbers(source));
    const others = [...state.panes.values(), here].filter((pane) => pane.box !== mine).map((pane) => {
      const at = values(pane.box).filter((marked) => numbers(marked).some((number) => lit.has(number)))
        .map((marked) => marked.dataset.at ?? marked.firstChild.textContent);
      return at.length ? `${pane.title.textContent}: ${at.join(", ")}` : "";
    });
    spoken.textContent = `The same value: ${others.filter(Boolean).join("; ") || "nowhere else"}.`;
  }

  const at = (event) => event.target.closest?.("[data-v]");
  root.addEventListener("mouseover", (event) => { if (at(event) && !state.pinned) light(at(event)); });
  root.addEventListener("mouseout", (event) => { if (at(event)) relight(); });
  root.addEventListener("focusin", (event) => {
    const source = at(event);
    relight();
    if (source?.dataset.v) say(source);
    if (source?.role === "button") {
      for (const other of values(source.closest("pre"))) other.tabIndex = other === source ? 0 : -1;
    }
  });
  root.addEventListener("focusout", () => queueMicrotask(relight));
  root.addEventListener("click", (event) => { if (at(event)?.role === "button") pin(at(event)); });

  // ---- the keyboard: one Tab stop a pane, arrows inside it and to the same value in the next one

  function aside(source, step) {
    const panes = [...row.children];
    const lit = new Set(numbers(source));
    for (let i = panes.indexOf(source.closest(".hw-pane")) + step; panes[i]; i += step) {
      const twin = values(panes[i]).find((marked) => numbers(marked).some((number) => lit.has(number)));
      if (twin) return twin.querySelector("input, textarea") ?? twin;
    }
    return null;
  }

  root.addEventListener("keydown", (event) => {
    const source = at(event);
    const typing = event.target.matches("input, textarea");
    // JupyterLab would take plain keys for commands on the cell (`x` cuts it).
    if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab" && !(event.shiftKey && event.key === "Enter")) {
      event.stopPropagation();
    }
    if (event.key === "Escape" && state.pinned) pin(state.pinned);
    if (typing || source?.role !== "button") return;
    const inPane = values(source.closest("pre"));
    const next = {
      ArrowDown: inPane[inPane.indexOf(source) + 1],
      ArrowUp: inPane[inPane.indexOf(source) - 1],
      ArrowRight: aside(source, 1),
      ArrowLeft: aside(source, -1),
      Home: inPane[0],
      End: inPane.at(-1),
    };
    if (event.key === "Enter" || event.key === " ") pin(source);
    else if (!(event.key in next)) return;
    event.preventDefault();
    next[event.key]?.focus();
  });

  paint();
  model.on("change:view", paint);
  el.append(root);
  return () => model.off("change:view", paint);
}

export default { render };
