import { describe, expect, it } from 'vitest'
import { createMcpServer } from '../../../src/mcp.ts'
import { connectTo } from '../../mcp/connect.ts'
import { NO_CONNECTION, TOKEN, useProduct } from './rig.ts'

const product = useProduct({ 'src/a.ts': 'export const a = 1\n' })
const shop = { repository: 'acme/shop', token: '$ENV.SHOP_TOKEN' }
const elsewhere = { repository: 'acme/docs', baseUrl: 'https://ghe.example.com/api/v3' }

const A = { path: 'src/a.ts', content: 'export const a = 1\n', size: 19 }

describe('products of the configuration', () => {
  it('AA-07: are named by a call where there are several', async () => {
    await using world = await product.configured({ products: { shop, docs: elsewhere } })
    expect(await world.call('read_file', { path: 'src/a.ts', product: 'shop' })).toEqual(A)
    expect(await world.call('list_dirs', { product: 'shop' })).toMatchObject({ dirs: [{ path: 'src', depth: 1 }] })
    expect(await world.call('list_files', { path: 'src', product: 'shop' })).toMatchObject({
      files: [{ name: 'a.ts' }],
    })
    expect(await world.call('search_code', { query: 'const', product: 'shop' })).toHaveLength(1)
    expect(await world.call('read_file', { path: 'src/a.ts' })).toEqual({
      error: "Several products are configured, and the call names none of them. Give 'product': shop, docs",
    })
  })

  it('AA-07: claim the address of the one that is named', async () => {
    const rules = [{ action: 'net', host: 'ghe.example.com', verdict: 'deny' }]
    await using world = await product.configured({ products: { shop, docs: elsewhere }, policy: { rules } })
    expect(await world.call('list_files', { product: 'docs' })).toEqual({
      error: expect.stringContaining('net https://ghe.example.com'),
    })
    expect(product.github.requests.every(({ url }) => url.startsWith('https://api.github.com/'))).toBe(true)
  })

  it('AA-07: leave an unconfigured one without a connection, and the journal says why', async () => {
    await using world = await product.configured({ products: { shop, docs: elsewhere } })
    for (const name of ['other', 'toString'])
      expect(await world.call('list_files', { product: name })).toEqual(NO_CONNECTION)
    const last = [...world.kit.workspace.journal.read()].at(-1)
    expect(last).toMatchObject({ ok: false, message: "There is no product 'toString'; products: shop, docs" })
  })

  it('AA-07: need no name where there is one, or a usual repository beside them', async () => {
    await using one = await product.configured({ products: { shop } })
    expect(await one.call('read_file', { path: 'src/a.ts' })).toEqual(A)
    await using beside = await product.configured({ github: shop, products: { docs: elsewhere } })
    expect(await beside.call('read_file', { path: 'src/a.ts' })).toEqual(A)
  })

  it('are never chosen by a file of the repository', async () => {
    await using world = await product.configured(
      {},
      { project: { products: { shop: { ...shop, baseUrl: 'https://evil.example/api' } } } },
    )
    expect(world.kit.config.notes).toEqual([expect.stringContaining("'products'")])
    expect(await world.call('list_files', { product: 'shop' })).toEqual(NO_CONNECTION)
  })

  it('AA-07: are a parameter over MCP', async () => {
    await using world = await product.configured({ products: { shop, docs: elsewhere } })
    await using server = await connectTo(await createMcpServer(world.kit))
    expect((await server.call('read_file', { path: 'src/a.ts', product: 'shop' })).structured).toEqual(A)
  })
})

describe('products of a program', () => {
  const products = { shop: { repository: 'acme/shop', token: TOKEN }, docs: { repository: 'acme/docs' } }

  it('AA-07: are options of a toolkit, in place of those of the configuration where `github` is given', async () => {
    const read = (input: object, more: object) => product.call('read_file', { path: 'src/a.ts', ...input }, more)
    expect(await read({ product: 'shop' }, { github: 'none', products })).toEqual(A)
    expect(await read({}, { github: 'none', products: { shop: products.shop } })).toEqual(A)
    expect(await read({ product: 'shop' }, { github: 'none' })).toEqual(NO_CONNECTION)
  })
})
