import { expect } from 'vitest'
import type { ConsoleTest } from './rig.ts'

export const SHOP = {
  'package.json': '{ "name": "shop", "type": "module" }\n',
  'src/money.ts': `export type Money = number

export const cents = (money: Money): number => money * 100

export const fromCents = (count: number): Money => count / 100
`,
  'src/price.ts': `import { cents, fromCents, type Money } from './money.ts'

interface Item {
  readonly price: Money
  readonly count: number
}

// Before tax.

export function total(items: readonly Item[]): Money {
  return items.reduce((sum, i) => sum + i.price * i.count, 0)
}

/** What a member pays. */
const shares: readonly number[] = [0.1, 0.2]

export const best = (): number => Math.max(...shares)

export const checkout = (items: readonly Item[]): Money => discounted(total(items))

export function discounted(price: Money): Money {
  return price * (1 - best())
}
`,
  'src/tax.ts': `import { total } from './price.ts'
import { type Money } from './money.ts'

export const withTax = (net: Money, rate: number): Money =>
  net * (1 + rate)

export const taxOf = (items: Parameters<typeof total>[0]): Money => withTax(total(items), 0.19)
`,
}

export const SHOP_CONFIG = {
  policy: { rules: [{ action: 'exec', command: 'git push', verdict: 'deny', why: 'releases are made by people' }] },
}

const PATCH = `--- a/src/price.ts
+++ b/src/price.ts
@@ -10,3 +10,4 @@
 export function total(items: readonly Item[]): Money {
-  return items.reduce((sum, i) => sum + i.price * i.count, 0)
+  const sum = items.reduce((sum, i) => sum + cents(i.price) * i.count, 0)
+  return fromCents(sum)
 }
@@ -21,3 +22,3 @@
 export function discounted(price: Money): Money {
-  return price * (1 - best())
+  return fromCents(Math.round(cents(price) * (1 - best())))
 }
--- a/src/tax.ts
+++ b/src/tax.ts
@@ -4,3 +4,3 @@
 export const withTax = (net: Money, rate: number): Money =>
-  net * (1 + rate)
+  fromCents(Math.round(cents(net) * (1 + rate)))
 
`

/** Two agents at work in a shop: calls of every kind have been made, and two wait for a person. */
export async function playScene({ call, json }: ConsoleTest): Promise<void> {
  const answerNext = async (made: Promise<unknown>, body: object): Promise<void> => {
    const waiting = async () => (await json('GET', '/v1/approvals')).approvals
    await expect.poll(async () => (await waiting()).length).toBe(1)
    const [{ id, digest }] = await waiting()
    await json('POST', `/v1/approvals/${id}`, { body: { digest, ...body } })
    await made
  }
  const [checkout, tests] = [{ task: 'checkout' }, { task: 'flaky tests' }]
  await call('claude-code', 'read', { path: 'src/price.ts' }, checkout)
  await call('claude-code', 'grep', { pattern: 'total\\(' }, checkout)
  const cart = 'import { total } from "./price.ts"\n\nexport const cart = { total }\n'
  await answerNext(call('codex', 'write', { path: 'src/cart.ts', content: cart }, tests), { answer: 'yes' })
  await answerNext(call('codex', 'run', { command: 'ls -l src' }, tests), { answer: 'yes' })
  const removal = call('codex', 'run', { command: 'rm -r fixtures/old' }, tests)
  await answerNext(removal, { answer: 'no', reason: 'still used' })
  const rounding = {
    path: 'src/money.ts',
    edits: [{ old: 'money * 100', new: 'Math.round(money * 100)' }],
  }
  await answerNext(call('claude-code', 'edit', rounding, checkout), { answer: 'always' })
  await call('codex', 'run', { command: 'git push origin main' }, tests)
  await call('claude-code', 'read', { path: 'src/vat.ts' }, checkout)
  void call('claude-code', 'patch', { diff: PATCH }, checkout)
  await expect.poll(async () => (await json('GET', '/v1/approvals')).approvals.length).toBe(1)
  void call('codex', 'run', { command: 'npm run migrate -- --apply' }, tests)
  await expect.poll(async () => (await json('GET', '/v1/approvals')).approvals.length).toBe(2)
}
