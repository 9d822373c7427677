import { useState } from "react";
import { createRoot } from "react-dom/client";
import "askance/isolated";
import type {} from "askance/react";

const { src, fingerprint } = Object.fromEntries(new URLSearchParams(location.search)) as Record<string, string>;

function Survey() {
  const [question, setQuestion] = useState("any_affair");
  const [disabled, setDisabled] = useState(false);
  const [earlier, setEarlier] = useState<Record<string, string> | null>(null);
  const [cells, setCells] = useState({});
  return (
    <form>
      <askance-question src={src} fingerprint={fingerprint} question={question} required disabled={disabled} value={earlier} onaskance-report={({ detail }) => setCells({ ...cells, ...detail.cells })} />
      <button type="button" id="disable" onClick={() => setDisabled(!disabled)}>Disable</button>
      <button type="button" id="other" onClick={() => setQuestion("religious")}>Other</button>
      <button type="button" id="restore" onClick={() => setEarlier({ religious: "very" })}>Restore</button>
      <output>{JSON.stringify(cells)}</output>
    </form>
  );
}

const root = createRoot(document.getElementById("app")!);
root.render(<Survey />);
addEventListener("leave", () => root.unmount());
