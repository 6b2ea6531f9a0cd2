// Saves a figure of the page for a paper: drawn anew, as wide as a column, on white, with its font inside.

// Pixels of a PNG for each of the figure: 384 to an inch.
const SCALE = 4;

// The click by which the button saves: it would close the panel, too.
function unheard(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// The figure as an SVG with another layout. The button of the figure, which draws any figure, draws it; what it would
// save with the colours and without the font of the page is taken here.
function drawn(graph, layout) {
  const button = graph._fullLayout._modeBar.buttons.flat().find(({ name }) => name === "toImage");
  const create = URL.createObjectURL;
  return new Promise((take) => {
    URL.createObjectURL = (blob) => {
      URL.createObjectURL = create;
      window.addEventListener("click", unheard, { capture: true, once: true });
      take(blob.text());
      return create.call(URL, blob);
    };
    const context = { ...graph._context, displayNotifier: false, toImageButtonOptions: { format: "svg" } };
    button.click({ data: structuredClone(graph.data), layout, _context: context });
  });
}

// The SVG with its font, its size in inches, and in its metadata what it shows and its signature.
function finished(text, { layout, font, inches, title, signature }) {
  const page = new DOMParser().parseFromString(text, "image/svg+xml"), root = page.documentElement;
  root.setAttribute("width", `${inches}in`);
  root.setAttribute("height", `${(inches * layout.height) / layout.width}in`);
  const style = `@font-face { font-family: Roboto; src: url(data:font/woff2;base64,${font}); }`;
  for (const [name, content] of Object.entries({ style, metadata: signature, title })) {
    const node = page.createElementNS("http://www.w3.org/2000/svg", name);
    node.textContent = content;
    root.prepend(node);
  }
  return new XMLSerializer().serializeToString(page);
}

async function pixels(svg, { width, height }) {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  Object.assign(canvas, { width: SCALE * width, height: SCALE * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((take) => canvas.toBlob(take));
}

// Browsers write a PDF with its font, of the size of the figure, when they print it.
function print(svg, { inches, layout, name }) {
  const frame = document.createElement("iframe"), size = `${inches}in ${(inches * layout.height) / layout.width}in`;
  frame.style = "position: fixed; right: 100%; bottom: 100%";
  frame.srcdoc = `<title>${name}</title><style>@page { size: ${size}; margin: 0 }
    body { margin: 0 } svg { display: block }</style>${svg}`;
  frame.onload = async () => {
    await frame.contentDocument.fonts.ready;
    frame.contentWindow.onafterprint = () => frame.remove();
    frame.contentWindow.print();
  };
  document.body.append(frame);
}

function save(blob, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function saveAs(kind, data) {
  const graph = document.querySelector(`.st-key-${data.figure} .js-plotly-plot`);
  const svg = finished(await drawn(graph, data.layout), data), name = `${data.name}.${kind}`;
  if (kind === "pdf") print(svg, data);
  else save(kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pixels(svg, data.layout), name);
}

export default function ({ data, parentElement }) {
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () => saveAs(button.dataset.kind, data);
  }
}
