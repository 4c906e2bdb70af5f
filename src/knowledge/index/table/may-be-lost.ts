const MARKS = /^[^\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+$/gu

/** Reports whether a symbol that the query finds may be among lost names, which are without marks: `#size`, `empty?`. */
export function mayBeLost(query: string): (lost: string | undefined) => boolean {
  const last = query.slice(query.lastIndexOf('.') + 1)
  const lowerName = last.replaceAll(MARKS, '').toLowerCase()
  return lost => lost?.toLowerCase().includes(lowerName) ?? false
}
