import { z } from '../tool.ts'
import { pageInput } from './paging.ts'

const flag = (about: string) => z.boolean().optional().describe(about)
const around = (where: string) => z.int().min(0).max(50).optional().describe(`Lines ${where} each match`)

/** What a search of contents can be asked. */
export const grepInput = (limit: number) =>
  z
    .strictObject({
      pattern: z.string().min(1).optional().describe('Text, or with `regex` an expression'),
      patterns: z.array(z.string().min(1)).max(100).optional().describe('A line with any of these is found'),
      regex: flag('The patterns are expressions in the syntax of ripgrep'),
      ignoreCase: flag('Upper and lower case are the same'),
      word: flag('Whole words alone'),
      invert: flag('Lines that hold none of the patterns'),
      multiline: flag('A match may go over line ends'),
      path: z.string().optional().describe('Directory or file, or ref:ID; the workspace unless given'),
      globs: z
        .array(z.string().min(1))
        .max(50)
        .optional()
        .describe(
          'Only such files; after `!`, none such. `*.ts` means anywhere, `src/**` or `/a.ts` is a path in the workspace',
        ),
      types: z
        .array(z.string().min(1))
        .max(20)
        .optional()
        .describe('Only files of these types, as ripgrep calls them: `ts`, `py`, `rust`'),
      onlyMatching: flag('Each match by itself, without the rest of its line'),
      hidden: flag('false leaves out names that begin with a dot'),
      before: around('before'),
      after: around('after'),
      strict: flag('Look at every file before the answer, whatever the index believes'),
      only: z.enum(['files', 'counts']).optional().describe('Files that hold a match, or how many lines of each'),
      ...pageInput(limit, 2_000),
    })
    .refine(({ pattern, patterns }) => pattern !== undefined || (patterns?.length ?? 0) > 0, {
      message: 'Give pattern or patterns',
      path: ['pattern'],
    })
    .refine(({ onlyMatching, invert, before, after, only }) => !onlyMatching || !(invert || before || after || only), {
      message: 'onlyMatching goes with none of invert, before, after and only',
      path: ['onlyMatching'],
    })
