import { FIXED_TIME } from '../../kernel/time.ts'

/** Environment of a command in deterministic mode: nothing that differs between machines or days. */
export const fixedEnvironment = (): Readonly<Record<string, string>> => ({
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  GIT_AUTHOR_DATE: `${FIXED_TIME / 1000} +0000`,
  GIT_COMMITTER_DATE: `${FIXED_TIME / 1000} +0000`,
  SOURCE_DATE_EPOCH: String(FIXED_TIME / 1000),
  // Otherwise sets and hashes have a random order.
  PYTHONHASHSEED: '0',
  PERL_HASH_SEED: '0',
  PERL_RAND_SEED: '0',
})
