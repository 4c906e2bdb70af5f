import { once } from './once.ts'

/**
 * `$ENV.` and the longest run of word characters. A backslash or a dollar before it makes it literal text. Letters of
 * other scripts, marks and invisible characters belong to the key. So a key that only looks like a known one is an
 * unknown key and never a shorter known one.
 */
export const placeholder = once(
  () => /(?<![\\$])\$ENV\.([A-Za-z_][\p{L}\p{N}\p{M}\p{Pc}\p{Cf}\p{Default_Ignorable_Code_Point}]*)/gu,
)
