import { z } from '../tool.ts'
import { someOf } from './required-fields.ts'
import { pageInput } from './paging.ts'

const flag = (about: string) => z.boolean().optional().describe(about)
const around = (where: string) => z.int().min(0).max(50).optional().describe(`Lines ${where} each match`)

/** Input of a search of contents. */
export const grepInput = (limit: number) =>
  someOf(
    z
      .strictObject({
        pattern: z.string().min(1).optional().describe('Text, or with `regex` an expression'),
        patterns: z.array(z.string().min(1)).max(100).optional().describe('Find lines with any of these'),
        regex: flag('The patterns are regular expressions, in ripgrep syntax'),
        ignoreCase: flag('Ignore case'),
        word: flag('Match whole words'),
        invert: flag('Find lines without a match'),
        multiline: flag('Match across lines'),
        path: z
          .string()
          .optional()
          .describe('Directory or file, or ref:ID for the whole of a cut answer; the workspace unless given'),
        globs: z
          .array(z.string().min(1))
          .max(50)
          .optional()
          .describe('Only these files, with `!` not these: `*.ts` anywhere, `src/**` or `/a.ts` by path'),
        types: z
          .array(z.string().min(1))
          .max(20)
          .optional()
          .describe('Only files of these types, as ripgrep calls them: `ts`, `py`, `rust`'),
        onlyMatching: flag('Give matches without the rest of the line'),
        hidden: flag('false leaves out dot files'),
        before: around('before'),
        after: around('after'),
        strict: flag('Read every file, whatever the index says'),
        only: z
          .enum(['files', 'counts'])
          .optional()
          .describe('Give the files with a match, or how many lines match in each'),
        ...pageInput(limit, 2_000),
      })
      .refine(
        ({ onlyMatching, invert, before, after, only }) => !onlyMatching || !(invert || before || after || only),
        {
          message: 'onlyMatching goes with none of invert, before, after and only',
          path: ['onlyMatching'],
        },
      ),
    'pattern',
    'patterns',
  )
