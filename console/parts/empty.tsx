import type { ComponentChildren } from 'preact'

/** Says what will appear here, and how to make it appear. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <b>{title}</b>
    {children}
  </div>
)
