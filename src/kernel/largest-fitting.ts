/**
 * Returns the largest integer from 0 to `most` that fits; -1 if none does. Everything below a fitting number must fit.
 */
export async function largestFitting(
  most: number,
  isFitting: (number: number) => boolean | Promise<boolean>,
): Promise<number> {
  let [low, high] = [-1, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await isFitting(middle)) low = middle
    else high = middle - 1
  }
  return low
}
