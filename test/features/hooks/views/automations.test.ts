import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import {drawAutomations} from '../../../../src/features/hooks/views/automations.ts'
import {automationSchema} from '../../../../src/platform/model.ts'

test('a page of automations that start at many times fits into one message', () => {
  const triggers = Array.from({length: 40}, (_, minute) => ({
    ...{type: 'schedule', cron: `${minute} 9,12,15 * * 1-5`, timezone: 'America/Argentina/Ushuaia'},
  }))
  const rows = Array.from({length: 10}, (_, index) =>
    automationSchema.parse({id: `automation_${index}`, name: 'Nightly', triggers}),
  )
  const {blocks} = drawAutomations({rows, from: 0, next: 10, mayChange: true}, 'web')
  expect(() => acceptBlocks(blocks)).not.toThrow()
})
