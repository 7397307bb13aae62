// A password field whose content goes to the kernel once, as a message. It is never in the model, which may be saved.
function render({ model, el }) {
  const label = document.createElement("label");
  const name = document.createElement("span");
  const field = document.createElement("input");
  const button = document.createElement("button");
  field.type = "password";
  field.autocomplete = "off";
  field.dataset.lmSuppressShortcuts = "true";
  button.type = "button";
  button.textContent = "Hold key";
  const paint = () => { name.textContent = model.get("label"); };
  const hand = () => {
    if (field.value) model.send({ key: field.value });
    field.value = "";
  };
  const press = (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) hand();
  };
  field.addEventListener("keydown", press);
  button.addEventListener("click", hand);
  model.on("change:label", paint);
  paint();
  label.append(name, " ", field);
  el.classList.add("hw", "hwk");
  el.append(label, " ", button);
  return () => model.off("change:label", paint);
}

export default { render };
