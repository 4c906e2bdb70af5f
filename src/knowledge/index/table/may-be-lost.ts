/** Reports whether a symbol that matches the query may be among lost names: the last part of its name contains that of the query. */
export function mayBeLost(query: string): (lost: string | undefined) => boolean {
  const wanted = query.slice(query.lastIndexOf('.') + 1).toLowerCase()
  return lost => lost?.toLowerCase().includes(wanted) ?? false
}
