import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useReducer, useRef } from 'preact/hooks'

interface Rows {
  readonly count: number
  readonly estimate: number
  readonly keyOf: (index: number) => string | number
}

interface VirtualRows {
  readonly items: readonly VirtualItem[]
  readonly height: number
  readonly measure: (element: Element | null) => void
  readonly scrollTo: (index: number) => void
}

/** The rows of a long list that can be seen, so that only these are drawn. */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, { count, estimate, keyOf }: Rows): VirtualRows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  const options = {
    count,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    getScrollElement: () => scroller.current,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(undefined),
  }
  const { current: virtualizer } = useRef(new Virtualizer<HTMLElement, Element>(options))
  virtualizer.setOptions(options)
  // Its adapters for other frameworks call the same two.
  // oxlint-disable-next-line no-underscore-dangle
  useEffect(() => virtualizer._didMount(), [])
  // oxlint-disable-next-line no-underscore-dangle
  useEffect(() => virtualizer._willUpdate())
  return {
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    measure: element => virtualizer.measureElement(element),
    scrollTo: index => virtualizer.scrollToIndex(index),
  }
}
