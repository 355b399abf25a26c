/** Longer lines are cut into pieces of this length, characters: some programs print everything as one line of JSON. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Cuts output that comes in pieces into lines, without empty ones. */
export interface LineCutter {
  add(text: string): void;
  /** Hands on the last line, which no line break ends. */
  end(): void;
}

/** Hands on lines as soon as they are whole; never an empty list. */
export function lineCutter(onLines: (lines: readonly string[]) => void): LineCutter {
  let unfinished = '';
  const emit = (lines: readonly string[]) => {
    const full = lines.filter((line) => line.trim() !== '');
    if (full.length > 0) onLines(full);
  };
  return {
    add(text) {
      const lines = (unfinished + text).split(/\r?\n|\r/);
      unfinished = lines.pop() ?? '';
      if (unfinished.length > MAX_LINE_LENGTH) {
        lines.push(unfinished);
        unfinished = '';
      }
      emit(lines);
    },
    end() {
      emit([unfinished]);
      unfinished = '';
    },
  };
}
