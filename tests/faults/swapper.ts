import { renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The other side of the race: gives the name of a directory to a link outwards and back, as fast as it can.
 * `node swapper.ts DIRECTORY NAME`, with the link prepared as `.NAME-link` beside it. It ends when its input ends,
 * so that it never outlives its parent, leaves the directory in place and says how often it swapped.
 */
const [, , parent = '.', name = 'dir'] = process.argv
const place = join(parent, name)
const link = join(parent, `.${name}-link`)
const away = join(parent, `.${name}-away`)
let swaps = 0

process.stdin.resume().on('end', () => {
  writeSync(1, String(swaps))
  process.exit(0)
})
writeSync(1, '\n')
round()

function round(): void {
  for (let count = 0; count < 20; count++) {
    // Times of every length, most of them short, so that a swap falls between any two steps of a call.
    rest(2)
    renameSync(place, away)
    put(link)
    rest(0.05)
    renameSync(place, link)
    put(away)
    swaps++
  }
  setImmediate(round)
}

/** In the moment when the name was free a write may have made a directory of it, rightly: that one goes. */
function put(from: string): void {
  for (let tries = 0; ; tries++)
    try {
      return renameSync(from, place)
    } catch (error) {
      if (tries === 100) throw error
      rmSync(place, { recursive: true, force: true })
    }
}

function rest(mostMs: number): void {
  const until = performance.now() + mostMs * Math.random() ** 3
  while (performance.now() < until);
}
