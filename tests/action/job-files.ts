/** What a step wrote to its file of outputs, variables or state, in both forms. Source: actions/runner, FileCommandManager.cs. */
export function readOutputs(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const end = line.slice(heredoc + 2);
    const from = i + 1;
    do i += 1;
    while (i < lines.length && lines[i] !== end);
    if (i === lines.length) throw new Error(`Matching delimiter not found '${end}'`);
    outputs[line.slice(0, heredoc)] = lines.slice(from, i).join('\n');
  }
  return outputs;
}
