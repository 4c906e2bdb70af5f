import type { Checked } from './checked.ts'

/** What is known of outputs by the names of their types. */
export interface DeskEngine {
  check(outputType: string, data: unknown): Checked
}
