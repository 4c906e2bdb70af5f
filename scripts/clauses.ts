/**
 * The five documents, with the ids of their clauses: the numbered ones, and those with an `x` for promises in their text
 * that the numbered ones lack.
 */
export const DOCUMENTS = (
  [
    ['superconnect', 'SC', 22, 2],
    ['autonomous', 'AA', 13, 0],
    ['cli-agent', 'CA', 18, 0],
    ['debug-assistant', 'DA', 14, 1],
    ['sage', 'SG', 28, 4],
  ] as const
).map(([name, letters, numbered, more]) => ({
  name,
  ids: [
    ...Array.from({ length: numbered }, (_, place) => `${letters}-${String(place + 1).padStart(2, '0')}`),
    ...Array.from({ length: more }, (_, place) => `${letters}-x${place + 1}`),
  ],
}))

/** An id of a clause, as a regular expression. */
export const CLAUSE = String.raw`\b(?:SC|AA|CA|DA|SG)-(?:\d\d|x\d)\b`
