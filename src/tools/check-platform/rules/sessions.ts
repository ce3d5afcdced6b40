import {readToken, readWord} from '../../../platform/unnamed.ts'
import {fieldsOf, pathOf} from '../asking.ts'
import type {Probe} from '../probe.ts'
import {Untried, expect, tell} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'

const token = shared(async (probe: Probe) => {
  const threadId = await probe.busy()
  const answer = await probe.ask('GET', pathOf('threads', threadId, 'session-token'))
  if (answer.status >= 300) throw new Untried(`there is no session token: ${tell(answer)}`)
  const found = readToken(answer.body)
  // What came in its place may be one.
  if (found === undefined) throw new Untried('the answer holds no token that can be told')
  return {threadId, found}
})

/** Section 4.11. */
export const sessionRules: readonly Rule[] = [
  {
    section: '4.11',
    name: 'a token proves whose session it is',
    bosun: 'code on agents’ machines can neither post nor ask in Slack, nor fetch files',
    check: async (probe) => {
      const {threadId, found} = await token(probe)
      const proven = await probe.post('/sessions/verify', {token: found})
      expect('valid true', proven['valid'] === true, {valid: proven['valid']})
      expect(`the thread ${threadId}`, proven['threadId'] === threadId, proven['threadId'])
      const {projectId} = probe
      expect(`the project ${projectId}`, proven['projectId'] === projectId, proven['projectId'])
    },
  },
  {
    section: '4.11',
    name: 'what is no token is not valid',
    bosun: 'whoever makes something up may post in the name of an agent',
    check: async (probe) => {
      const answer = await probe.ask('POST', '/sessions/verify', {body: {token: 'check-platform'}})
      const {valid} = fieldsOf(answer.body)
      const reason = readWord(answer.body, ['expired', 'invalid'], 'reason')
      const isRefused = answer.status < 300 ? valid === false : reason !== undefined
      expect('valid false, or a word for why', isRefused && valid !== true, tell(answer))
    },
  },
]
