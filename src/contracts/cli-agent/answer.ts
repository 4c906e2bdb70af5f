import { z } from '../tool.ts'

/** The output of every tool: a text for people and the affected files; some add the counts of their section. */
export const answer = { output: z.string(), files: z.array(z.string()).optional() }
