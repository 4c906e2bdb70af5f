/** The largest whole number from 0 to `most` that fits, where all below one that fits do; -1 where none does. */
export async function largestFitting(
  most: number,
  fits: (number: number) => boolean | Promise<boolean>,
): Promise<number> {
  let [low, high] = [-1, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
