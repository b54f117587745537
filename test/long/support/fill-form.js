// Runs in the page: fills the form of a tool, as a person does, and returns the fields that it could not fill.
window.fillForm = async (plan) => {
  const unfilled = [];
  const byId = (id) => document.getElementById(id);
  const until = async (find) => {
    for (let count = 0; count < 200; count += 1) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return undefined;
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  const write = async (control, value) => {
    // Past the property by which React notices its own changes.
    Reflect.set(Object.getPrototypeOf(control), "value", value, control);
    control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    await settle();
  };
  const kinds = {
    async value(id, { value }) {
      const control = byId(id);
      if (control === null) {
        unfilled.push(id);
        return;
      }
      if (control.type === "checkbox") {
        if (control.checked !== value) control.click();
        await settle();
        return;
      }
      if (control.tagName !== "SELECT") {
        await write(control, String(value));
        return;
      }
      const option = [...control.options].find(({ text }) => text === String(value));
      if (option === undefined) {
        unfilled.push(`${id}: no option ${value}`);
        return;
      }
      await write(control, option.value);
    },
    async fields(id, { fields }) {
      for (const [name, inner] of Object.entries(fields)) await put(`${id}_${name}`, inner);
    },
    async items(id, { items }) {
      for (const [index, inner] of items.entries()) {
        const isThere = () =>
          document.querySelector(`[id="${id}_${index}"], [id^="${id}_${index}_"]`) !== null;
        if (!isThere()) {
          const add = byId(`${id}__add`);
          if (add === null) {
            unfilled.push(`${id}: nothing can be added`);
            return;
          }
          add.click();
          if (!(await until(isThere))) {
            unfilled.push(`${id}: nothing was added`);
            return;
          }
        }
        await put(`${id}_${index}`, inner);
      }
    },
    async entries(id, { entries }) {
      for (const [name, inner] of Object.entries(entries)) {
        const add = byId(`${id}__add`);
        if (add === null) {
          unfilled.push(`${id}: no entry can be added`);
          return;
        }
        add.click();
        const key = await until(() => byId(`${id}_newKey-key`));
        if (!key) {
          unfilled.push(`${id}: no entry was added`);
          return;
        }
        await write(key, name);
        key.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
        await until(() => byId(`${id}_${name}-key`));
        await put(`${id}_${name}`, inner);
      }
    },
    async alternative(id, { index, plan: inner }) {
      const selector = byId(`${id}__anyof_select`) ?? byId(`${id}__oneof_select`);
      if (selector === null) {
        unfilled.push(`${id}: no choice of alternatives`);
        return;
      }
      if (selector.value !== String(index)) await write(selector, String(index));
      await settle();
      await put(id, inner);
    },
  };
  const put = (id, inner) => kinds[inner.kind](id, inner);
  await put("input", plan);
  await settle();
  return unfilled;
};
