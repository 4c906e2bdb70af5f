import OpenAI from 'openai'
import { openToolkit } from 'toolwright'
import { openaiTools } from 'toolwright/adapters'

const kit = await openToolkit({ root: '.' })
const { tools, run } = await openaiTools(kit)

const client = new OpenAI()
const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'What does a.txt say?' }]
for (;;) {
  const items: OpenAI.Responses.ResponseOutputItem[] = []
  let text = ''
  for await (const event of await client.responses.create({ model: 'gpt-5', input, tools, stream: true })) {
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.output_item.done') items.push(event.item)
  }
  const outputs = await run(items)
  if (outputs.length === 0) {
    console.log(text)
    break
  }
  input.push(...items.filter(item => item.type === 'function_call'), ...outputs)
}
await kit.close()
