/** Bytes of sources in classes, each about half as frequent as the one before; what is not here is rarer still. */
const CLASSES = [' ', 'et"', 'nairosl,', 'dcuhmpgf.:[]\n', '*/v0y;b()=MEDCSTIRNA', "{}LwO'-1_PHk|FU$x#"]
/** What is looked for is at least so long, so that it is seldom found in vain. */
const SHORTEST = 3

const frequency = new Uint8Array(256)
for (const [at, bytes] of CLASSES.entries())
  for (const byte of Buffer.from(bytes)) frequency[byte] = CLASSES.length - at

/** Where in a literal its rarest byte stands first, unless too little would follow. */
export function rarestPlace(literal: Uint8Array): number {
  let place = 0
  for (let at = 1; at <= literal.length - SHORTEST; at++)
    if (frequencyAt(literal, at) < frequencyAt(literal, place)) place = at
  return place
}

const frequencyAt = (literal: Uint8Array, at: number): number => frequency[literal[at] as number] as number
