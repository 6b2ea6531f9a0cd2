// A text with a button that selects and copies it. The older command works without https, too.
export default function ({ data, parentElement }) {
  const text = parentElement.querySelector("pre"), button = parentElement.querySelector("button");
  text.textContent = data;
  button.textContent = "Copy";
  button.onclick = () => {
    getSelection().selectAllChildren(text);
    if (document.execCommand("copy")) button.textContent = "Copied";
  };
}
