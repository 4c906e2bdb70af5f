import { once } from './once.ts'

/** Built on first use: most output has no control character. */
const sequences = once(
  () =>
    new RegExp(
      [
        // A text for the terminal: a title, a link, an image. It holds no start of another, so no search is repeated.
        String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)`,
        // Colours and movements of the cursor; the last may be incomplete.
        String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)`,
        // Any other, and an escape that begins none.
        String.raw`\x1b[ -/]*[0-~]?`,
      ].join('|'),
      'g',
    ),
)

// oxlint-disable-next-line no-control-regex
const mayNeedIt = /[\0\u001b\u0090-\u009f]/

/** Returns the output of a program without terminal sequences, and with a visible sign for each NUL. */
export const plainOutput = (text: string): string =>
  mayNeedIt.test(text) ? text.replace(sequences(), '').replaceAll('\0', '␀') : text

/** A longer text for the terminal is shown as it arrives. */
const LONGEST_SEQUENCE = 4096

const incompleteSequence = once(() => new RegExp(String.raw`\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$`))

/** Returns the length of the output without a terminal sequence at its end that may go on. */
export function finishedLength(bytes: Buffer): number {
  const start = Math.max(0, bytes.length - LONGEST_SEQUENCE)
  const at = bytes.includes(0x1b, start) ? incompleteSequence().exec(bytes.toString('latin1', start))?.index : undefined
  return at === undefined ? bytes.length : start + at
}
