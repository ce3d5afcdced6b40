import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createManualClock} from '../../relay/manual-clock.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createForms} from '../../../src/slack/api/forms.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const view = {type: 'modal' as const, title: {type: 'plain_text' as const, text: 't'}, blocks: []}

test('a form that waits for its turn does not keep a workspace that is left, and is changed by whoever has it next', async () => {
  const pacer = createPacer({budgets: {}, clock: createManualClock()})
  for (const method of ['views.update', 'views.publish']) pacer.pause({team: 'T1', method}, 60_000)
  const leaving = new AbortController()
  const client = new WebClient('xoxb', {slackApiUrl: 'http://127.0.0.1:9/'})
  const {signal} = leaving
  const forms = createForms({client, pacer, team: 'T1', log: SILENT_LOG, signal})
  const updating = forms.update('V1', view)
  const publishing = forms.publish('U1', {type: 'home', blocks: []})
  leaving.abort(new Error('left'))
  await expect(updating).rejects.toThrow('left')
  await publishing
})
