import type { ResidentPart } from './part.ts'
import type { PartContext } from './run-resident.ts'

/** What the process holds of its workspace. */
export const openParts = (_context: PartContext): readonly ResidentPart[] => []
