// Writes the OpenAPI document as a page.
"use strict";

const add = (parent, tag, text) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
};

fetch("/v1/openapi.json").then((answer) => answer.json()).then((api) => {
  const page = document.getElementById("paths");
  add(page, "p", api.info.description);
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, what] of Object.entries(methods)) {
      if (method === "parameters") continue;
      const section = add(page, "section");
      section.className = "card";
      add(section, "h2", `${method.toUpperCase()} ${path}`);
      add(section, "p", what.summary + ".");
      if (what.description) add(section, "p", what.description);
      const parameters = what.parameters || [];
      if (parameters.length) {
        const list = add(section, "ul");
        for (const one of parameters) {
          add(list, "li", `${one.name} (${one.in}${one.required ? ", needed" : ""}): ${one.description}`);
        }
      }
      const answers = add(section, "ul");
      for (const [status, answer] of Object.entries(what.responses)) {
        add(answers, "li", `${status}: ${answer.description}`);
      }
    }
  }
});
