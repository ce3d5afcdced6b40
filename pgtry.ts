import {openStore} from './src/store/store.ts'
const s=await openStore({path:process.argv[2]!, sealingKeys:[]})
console.log(await s.check(), await s.checkUp())
await s[Symbol.asyncDispose]()
