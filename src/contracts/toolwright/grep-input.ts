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
        pattern: z.string().min(1).optional().describe('Text, or a regular expression with `regex`'),
        patterns: z.array(z.string().min(1)).max(100).optional().describe('Find lines with any of these'),
        regex: flag('The patterns are regular expressions, in ripgrep syntax'),
        ignoreCase: flag('Ignore case'),
        word: flag('Match whole words'),
        invert: flag('Find lines without a match'),
        multiline: flag('Match across lines'),
        path: z
          .string()
          .optional()
          .describe('Directory or file, or ref:ID for the full text of a cut answer; default: the workspace'),
        globs: z
          .array(z.string().min(1))
          .max(50)
          .optional()
          .describe('Only these files, or with `!` all but these: `*.ts` anywhere, `src/**` or `/a.ts` by path'),
        types: z
          .array(z.string().min(1))
          .max(20)
          .optional()
          .describe('Only files of these ripgrep types: `ts`, `py`, `rust`'),
        onlyMatching: flag('Return matches without the rest of the line'),
        hidden: flag('false omits dot files'),
        before: around('before'),
        after: around('after'),
        strict: flag('Read every file instead of using the index'),
        only: z
          .enum(['files', 'counts'])
          .optional()
          .describe('Return only the files with a match, or the number of matching lines in each'),
        ...pageInput(limit, 2_000),
      })
      .refine(
        ({ onlyMatching, invert, before, after, only }) => !onlyMatching || !(invert || before || after || only),
        {
          message: 'onlyMatching cannot be combined with invert, before, after or only',
          path: ['onlyMatching'],
        },
      ),
    'pattern',
    'patterns',
  )
