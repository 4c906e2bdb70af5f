/** How many lines a change adds and removes. */
export const CountedLines = ({ added, removed }: { readonly added: number; readonly removed: number }) =>
  added + removed === 0 ? null : (
    <span class="lines">
      {added > 0 && <span class="plus">+{added}</span>}
      {removed > 0 && <span class="minus">−{removed}</span>}
    </span>
  )
