import { fileConcern } from './concern.ts'
import type { Options } from './options.ts'

const HELP = 'help version verbose'

/** Owner, group and other only: a program that runs as somebody else is none of it. */
const mode = (text: string): string | undefined => {
  const isMode = /^[0-7]{3}$|^0[0-7]{3}$|^[ugoa]*[-+=][rwxX]+(,[ugoa]*[-+=][rwxX]+)*$/.test(text)
  return isMode || !/^[0-7]+$|[-+=]/.test(text) ? undefined : 'it may let a file run as somebody else'
}

/** `if=`, `of=` and the rest of what dd knows. */
const block = (text: string): string | undefined => {
  const [, name = '', value = ''] = /^(\w+)=([^]*)$/.exec(text) ?? []
  if (name === 'if' || name === 'of') return fileConcern(value)
  return /^(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|status)$/.test(name) ? undefined : `${text} is not known`
}

/**
 * Programs whose purpose is to write. A rule for one of them is the user's word that it may, on files of the workspace that the line
 * shows; options that run something, and files elsewhere, are asked for.
 */
export const WRITER_OPTIONS: ReadonlyMap<string, Options> = new Map<string, Options>([
  [
    'cp',
    {
      flags: 'abdfiHlLnpPrRsTuvx',
      files: 't',
      operands: 'files',
      long: `${HELP} archive force interactive no-clobber recursive update? parents no-target-directory target-directory@ preserve? attributes-only`,
    },
  ],
  [
    'mv',
    {
      flags: 'bfinTuv',
      files: 't',
      operands: 'files',
      long: `${HELP} force interactive no-clobber update? no-target-directory target-directory@`,
    },
  ],
  ['ln', { flags: 'bfinrsTv', operands: 'files', long: `${HELP} symbolic force relative no-dereference` }],
  [
    'install',
    {
      flags: 'bcCdDpTv',
      values: 'mS',
      files: 't',
      operands: 'files',
      check: mode,
      long: `${HELP} directory compare preserve-timestamps target-directory@`,
    },
  ],
  [
    'touch',
    { flags: 'acfhm', values: 'dt', files: 'r', operands: 'files', long: `${HELP} date= no-create reference@ time=` },
  ],
  ['mkdir', { flags: 'pv', operands: 'files', long: `${HELP} parents` }],
  ['rmdir', { flags: 'pv', operands: 'files', long: `${HELP} parents ignore-fail-on-non-empty` }],
  [
    'rm',
    {
      flags: 'dfiIrRv',
      operands: 'files',
      long: `${HELP} force recursive interactive? dir one-file-system preserve-root?`,
    },
  ],
  ['tee', { flags: 'aip', operands: 'files', long: `${HELP} append ignore-interrupts` }],
  ['dd', { operands: 'any', check: block, long: HELP }],
  [
    'chmod',
    {
      flags: 'Rcfv',
      operands: 'any',
      check: text => mode(text) ?? fileConcern(text),
      shapes: /^-[rwx]+$/,
      long: `${HELP} recursive changes quiet silent`,
    },
  ],
  ['truncate', { flags: 'co', values: 's', files: 'r', operands: 'files', long: `${HELP} size= no-create reference@` }],
  [
    'split',
    {
      flags: 'deux',
      values: 'abClnt',
      operands: 'files',
      long: `${HELP} bytes= lines= line-bytes= number= numeric-suffixes? suffix-length= additional-suffix= elide-empty-files separator=`,
    },
  ],
  [
    'csplit',
    {
      flags: 'kqsz',
      values: 'bfn',
      operands: 'text-then-files',
      long: `${HELP} prefix= digits= keep-files quiet silent elide-empty-files`,
    },
  ],
  [
    'zip',
    {
      flags: 'rqvjXyuem0123456789',
      values: 'xi',
      operands: 'files',
      long: `${HELP} recurse-paths quiet junk-paths update exclude= include=`,
    },
  ],
])
