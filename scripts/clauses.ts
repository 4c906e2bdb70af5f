/** The five documents, with the ids of their clauses. */
export const DOCUMENTS = (
  [
    ['superconnect', 'SC', 22],
    ['autonomous', 'AA', 13],
    ['cli-agent', 'CA', 18],
    ['debug-assistant', 'DA', 14],
    ['sage', 'SG', 28],
  ] as const
).map(([name, letters, count]) => ({
  name,
  ids: Array.from({ length: count }, (_, place) => `${letters}-${String(place + 1).padStart(2, '0')}`),
}))
