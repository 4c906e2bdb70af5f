import { OWNER, type Caller } from '../../machine/state/tokens.ts'

/** Returns who is recorded for what a request decides: known from its token, never sent. */
export const writerOf = ({ name }: Caller): string =>
  name === OWNER ? `${process.env['USER'] ?? 'user'} (http)` : `${name} (http token)`
