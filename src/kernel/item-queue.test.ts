import { describe, expect, it } from 'vitest'
import { itemQueue } from './item-queue.ts'

describe('a queue of items', () => {
  it('gives what was pushed before and after its reader came, and then ends', async () => {
    const queue = itemQueue<number>()
    queue.push(1)
    setTimeout(() => {
      queue.push(2)
      queue.end()
      queue.push(3)
    })
    const read: number[] = []
    for await (const item of queue) read.push(item)
    expect(read).toEqual([1, 2])
  })

  it('gives its error once, after the last item', async () => {
    const queue = itemQueue<number>()
    queue.push(1)
    queue.end(new Error('lost'))
    const items = queue[Symbol.asyncIterator]()
    expect(await items.next()).toEqual({ done: false, value: 1 })
    await expect(items.next()).rejects.toThrow('lost')
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  it('reports what its reader takes, and that it left before the end', async () => {
    const heard: string[] = []
    const queue = itemQueue<number>(
      () => heard.push('taken'),
      () => heard.push('left'),
    )
    queue.push(1)
    queue.push(2)
    for await (const item of queue) if (item === 1) break
    expect(heard).toEqual(['taken', 'left'])
  })
})
