import { HumanMessage, ToolMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { openToolkit } from 'toolwright'
import { langchainTools } from 'toolwright/adapters'

const kit = await openToolkit({ root: '.' })
const tools = await langchainTools(kit, (run, fields) => tool(run, fields))

const model = new ChatOpenAI({ model: 'gpt-5' }).bindTools(tools)
const messages: BaseMessage[] = [new HumanMessage('What does a.txt say?')]
for (;;) {
  let answer: AIMessageChunk | undefined
  for await (const chunk of await model.stream(messages)) answer = answer?.concat(chunk) ?? chunk
  if (!answer?.tool_calls?.length) {
    console.log(answer?.text)
    break
  }
  messages.push(answer)
  for (const { name, args, id = '' } of answer.tool_calls) {
    const content = String(await tools.find(each => each.name === name)?.invoke(args))
    messages.push(new ToolMessage({ content, tool_call_id: id }))
  }
}
await kit.close()
