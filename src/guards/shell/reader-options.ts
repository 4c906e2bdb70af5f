import { fileConcern } from './concern.ts'
import type { Options } from './options.ts'

/** `host:file` is read over a program that connects. */
const local = (text: string): string | undefined =>
  text.includes(':') ? `'${text}' is on another machine` : fileConcern(text)

const COMPRESS: Options = {
  flags: 'cdfhklnNqrtvV123456789',
  long: 'stdout decompress force keep list no-name quiet recursive test verbose version fast best',
  operands: 'files',
}
const FD: Options = {
  flags: 'HIusigFapL0q1',
  values: 'etdEcSoj',
  operands: 'text-then-files',
  long: `hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path full-path follow
  print0 max-depth= min-depth= exact-depth= exclude= type= extension= size= changed-within= changed-before= owner= color= threads=
  max-results= quiet show-errors strip-cwd-prefix? one-file-system prune version`,
}

/** Programs that read, with the options that keep it so; `writer-options` has those whose very purpose is to write. */
export const READER_OPTIONS: ReadonlyMap<string, Options> = new Map<string, Options>([
  ['fd', FD],
  ['fdfind', FD],
  ['bc', { flags: 'lqswhv', long: 'mathlib quiet standard warn version', operands: 'files' }],
  ['top', { flags: 'bcHiSs1', values: 'ndpuUo', operands: 'none' }],
  ['gzip', COMPRESS],
  ['gunzip', COMPRESS],
  ['zcat', COMPRESS],
  ['bzip2', COMPRESS],
  ['xz', COMPRESS],
  ['ssh', { flags: 'qTtnvVNC46', values: 'plbcm', operands: 'any' }],
  [
    'rsync',
    {
      flags: 'avzrlptgoDhnqucHAXPiWxRS',
      long: `archive verbose compress recursive links perms times group owner dry-run quiet update checksum human-readable progress
      partial stats itemize-changes exclude= include= delete existing ignore-existing size-only version max-size= min-size=`,
      operands: 'any',
      check: local,
    },
  ],
])
