/** `ref:ID` refers to the whole of an answer that was cut. Write `./ref:ID` for a file of that name. */
const REFERENCE = /^ref:([0-9a-f]{16,64})$/

export const isReference = (path: string): boolean => REFERENCE.test(path)

/** Reports whether a path was meant as a reference, well formed or not. */
export const isLikeReference = (path: string): boolean => path.startsWith('ref:')

/** Returns the id in a reference. */
export const referenceId = (path: string): string | undefined => REFERENCE.exec(path)?.[1]
