import { expect, it } from 'vitest'
import { reduceTrace } from './reduce-trace.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

it.each<readonly [string, string, string]>([
  [
    'JavaScript',
    `TypeError: Cannot read properties of undefined (reading 'map')
    at UserList (/home/me/app/src/components/UserList.tsx:17:22)
    at renderWithHooks (/home/me/app/node_modules/react-dom/index.js:14985:18)
    at async main (file:///home/me/app/src/main.ts:3:1)
    at node:internal/main/run_main_module:33:47`,
    'TypeError: Cannot read properties of undefined (reading )\nat UserList in UserList.tsx, main in main.ts',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "/srv/app/run.py", line 3, in <module>
    main()
  File "/srv/app/load.py", line 31, in load
    return rows[7]
  File "/usr/lib/python3.11/json/decoder.py", line 337, in decode
    raise
KeyError: 'user_id'`,
    'KeyError:\nat load in load.py, <module> in run.py',
  ],
  [
    'Java',
    `java.lang.IllegalStateException: Failed to load 12 beans
\tat com.acme.shop.Orders.load(Orders.java:42)
\tat org.springframework.boot.SpringApplication.run(SpringApplication.java:300)
\t... 12 more`,
    'java.lang.IllegalStateException: Failed to load beans\nat load in Orders.java',
  ],
  [
    'Go',
    `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(...)
\t/home/me/shop/pick.go:12 +0x1d`,
    'panic: runtime error: index out of range [] with length\nmain.pick(...)\nat pick.go',
  ],
  [
    'C#',
    `System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Orders.Load(String id) in /src/Orders.cs:line 42
   at System.Threading.Tasks.Task.Execute()`,
    'System.NullReferenceException: Object reference not set to an instance of an object.\nat Load in Orders.cs',
  ],
  [
    'Rust',
    `thread 'main' panicked at src/main.rs:4:5:
index out of bounds: the len is 3 but the index is 99
stack backtrace:
   2: shop::pick
             at /home/me/shop/src/main.rs:4:5`,
    'thread panicked at src/main.rs:\nindex out of bounds: the len is but the index is\nat pick, main.rs',
  ],
  [
    'Ruby',
    `undefined method 'name' for nil (NoMethodError)
\tfrom app/models/user.rb:12:in 'full_name'`,
    'undefined method for nil (NoMethodError)\nat full_name in user.rb',
  ],
])('keeps class, message and own frames of %s', (_language, trace, reduced) => {
  expect(reduceTrace(trace)).toBe(reduced)
})

it('keeps values where they are searched for', () => {
  const trace = "Error: Cannot find module 'left-pad'\n    at load (/srv/app/src/load.ts:3:1)"
  expect(reduceTrace(trace, { keepsValues: true })).toBe("Error: Cannot find module 'left-pad'\nat load in load.ts")
})

it('keeps a text without frames, but for values that are never twice the same', () => {
  const text = "TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'"
  expect(reduceTrace(text)).toBe(text)
  expect(reduceTrace('job 123e4567-e89b-12d3-a456-426614174000 failed')).toBe('job  failed')
  expect(reduceTrace('cannot open /home/me/app/data/users.csv')).toBe('cannot open users.csv')
  expect(reduceTrace('GET https://example.com/v1/users failed')).toBe('GET https://example.com/v1/users failed')
})

it('gives the same for two errors that differ in values and lines', () => {
  const error = (name: string, line: number) =>
    `Error: user '${name}' has ${line} open orders\n    at check (/a/${name}/src/check.ts:${line}:9)`
  expect(reduceTrace(error('anna', 12))).toBe(reduceTrace(error('bert', 907)))
})

it('stays quick on huge lines and many of them', () => {
  const before = processorMs()
  reduceTrace(`${' '.repeat(200_000)}at ${'('.repeat(200_000)}`)
  reduceTrace(`Error\n${'    at a (b.ts:1:1)\n'.repeat(10_000)}`)
  for (const line of ['a'.repeat(999), ':1'.repeat(400), `a${' b'.repeat(400)}(`, `(${'a:1'.repeat(300)}`])
    reduceTrace(`    at ${line}x\n`.repeat(200))
  reduceTrace(`${'/a'.repeat(50_000)} ${"'".repeat(50_000)}`)
  expect(processorMs() - before).toBeLessThan(2_000)
})
