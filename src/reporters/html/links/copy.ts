import { all } from '../client/dom.ts';

/** Puts a text on the clipboard; pages without the right to it, such as some frames, get it by way of a selection. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'unseen';
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/** Copies, and says so on the button until mouse and keyboard have left it. */
async function copyFrom(button: HTMLButtonElement): Promise<void> {
  const says = button.dataset.says ?? button.textContent;
  button.dataset.says = says;
  button.textContent = (await copyText(button.dataset.copy ?? '')) ? 'Copied' : 'Could not copy';
  const restore = (): void => {
    button.textContent = says;
  };
  button.addEventListener('pointerleave', restore, { once: true });
  button.addEventListener('blur', restore, { once: true });
}

/** Makes the copy buttons of the page work, which are not seen before. */
export function enableCopying(): void {
  for (const button of all<HTMLButtonElement>(document, 'button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copyFrom(button));
  }
}
