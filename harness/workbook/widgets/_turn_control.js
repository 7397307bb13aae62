// A native slider, which has a name and knows the arrow keys, with buttons beside it; play walks to the last turn.
function render({ model, el }) {
  const label = document.createElement("label");
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 1, step: 1 });
  const shown = document.createElement("output");
  let timer = null;

  const go = (turn) => {
    model.set("turn", Math.min(Math.max(1, turn), model.get("last")));
    model.save_changes();
  };
  const button = (text, action) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.addEventListener("click", action);
    return made;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const step = () => {
    go(model.get("turn") + 1);
    if (model.get("turn") === model.get("last")) stop();
  };
  const play = button("Play", () => {
    if (timer) return stop();
    if (model.get("turn") === model.get("last")) go(1);
    play.textContent = "Pause";
    timer = setInterval(step, model.get("pause"));
  });
  const paint = () => {
    slider.max = model.get("last");
    slider.value = model.get("turn");
    shown.textContent = `${model.get("turn")} of ${model.get("last")}`;
  };

  slider.addEventListener("input", () => go(Number(slider.value)));
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  model.on("change:turn", paint);
  paint();
  label.append("Turn ", slider);
  el.classList.add("hw", "hws-turns");
  const back = button("◀ Previous turn", () => go(model.get("turn") - 1));
  el.append(label, shown, back, button("Next turn ▶", () => go(model.get("turn") + 1)), play);
  return () => {
    clearInterval(timer);
    model.off("change:turn", paint);
  };
}

export default { render };
