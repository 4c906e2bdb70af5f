/**
 * What must never reach a terminal or a log line as it is: controls, bidi and other format characters, surrogates
 * without a partner, private use, unassigned, line separators, spaces that only look like the ordinary one, blanks.
 */
export const invisible = String.raw`\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800`
