import { OWNER, PAGE, type Caller } from '../../machine/state/tokens.ts'
import { userName } from '../user-name.ts'

/** Returns who is recorded for what a request decides: known from its token, never sent. */
export const writerOf = ({ name }: Caller): string =>
  name === OWNER || name === PAGE ? `${userName()} (${name === PAGE ? 'page' : 'http'})` : `${name} (http token)`
