// @ts-check

const coloured = process.stderr.isTTY === true && !process.env['NO_COLOR']

/**
 * Prints one line to standard error, so that results stay clean.
 * @param {string} line
 */
export const say = line => {
  process.stderr.write(coloured ? `\u001B[2m${line}\u001B[22m\n` : `${line}\n`)
}

/**
 * Reports work that takes longer than a second, and its duration.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const during = async (what, work) => {
  const start = Date.now()
  let said = false
  const timer = setTimeout(() => {
    said = true
    say(`${what} …`)
  }, 1000)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (said) say(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s`)
  }
}

/** A failure that the user can fix: shown as a message without a stack. */
export class Stop extends Error {}
