import type { ComponentChildren } from 'preact'

export type KeyValue = readonly [name: string, value: ComponentChildren]

/** Facts, one a line; those without a value are left out. */
export const KeyValues = ({ rows }: { readonly rows: readonly KeyValue[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
  </dl>
)
