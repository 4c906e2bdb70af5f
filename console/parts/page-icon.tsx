import type { Page } from '../state/address.ts'

const PATHS: Readonly<Record<Page, string>> = {
  inbox: 'M2 9h3l1 2h4l1-2h3M2 9l2-6h8l2 6v4H2z',
  timeline: 'M5 3v10M5 5h8M5 8h5M5 11h7',
  changes: 'M4 2v12M2 4h4M2 12h4M9 5h5M9 8h3M9 11h5',
  policy: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  code: 'M3 8h3M10 4h3M10 12h3M6 8l4-4M6 8l4 4',
  memory: 'M4 2h8v12l-4-3-4 3z',
  numbers: 'M3 13V8M7 13V3M11 13v-7M2 13h12',
  tools: 'M10 2a3 3 0 0 0-3 4L2 11l3 3 5-5a3 3 0 0 0 4-3l-2 1-2-2 1-2z',
}

/** The sign of a page, where there is no room for its name. */
export const PageIcon = ({ page }: { readonly page: Page }) => (
  <svg
    class="icon"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[page]} />
  </svg>
)
