import { z } from '../tool.ts'

/** What every tool of this contract gives: a text for people, and the files it touched; some add what their section counts. */
export const answer = { output: z.string(), files: z.array(z.string()).optional() }
