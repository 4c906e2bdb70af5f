/** `ref:ID` stands for the whole of an answer that was cut; a file of that very name is reached as `./ref:ID`. */
const REFERENCE = /^ref:([0-9a-f]{16,64})$/

export const isReference = (path: string): boolean => REFERENCE.test(path)

/** The id that a reference names. */
export const referenceId = (path: string): string | undefined => REFERENCE.exec(path)?.[1]
