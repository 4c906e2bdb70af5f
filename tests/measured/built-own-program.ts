import { join } from 'node:path'
import { OWN_PROGRAMS, type OwnProgram } from '../../src/machine/own-program.ts'

export { OWN_PROGRAMS, type OwnProgram } from '../../src/machine/own-program.ts'

/** A program of ours as it is built, in place of its source. */
export const ownProgram = (name: OwnProgram): string => join(import.meta.dirname, '../../dist', `${name}.cjs`)

export const ownPrograms = (): string[] => (Object.keys(OWN_PROGRAMS) as OwnProgram[]).map(ownProgram)
