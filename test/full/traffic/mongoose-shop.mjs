// Runs as a process of its own, where mongoose is installed: `node mongoose-shop.mjs <uri>`.
import mongoose from 'mongoose'

const rounds = 40
const connection = await mongoose.createConnection(process.argv[2], { maxPoolSize: 1 }).asPromise()
const item = new mongoose.Schema({ name: String, price: Number }, { _id: false })
const fields = { _id: Number, customer: { type: Number, index: true }, items: [item], total: Number }
const Basket = connection.model(
  'Basket',
  new mongoose.Schema(fields, { optimisticConcurrency: true, timestamps: true }),
)
await Basket.init()
for (let round = 0; round < rounds; round++) {
  const basket = await Basket.create({ _id: round, customer: round % 5, items: [{ name: 'a', price: round }] })
  basket.items.push({ name: 'b', price: 1 })
  basket.total = round + 1
  await basket.save()
  await connection.transaction(async (session) => {
    const again = await Basket.findById(round).session(session)
    again.items[0].price += 1
    await again.save({ session })
    await Basket.updateOne({ _id: 0 }, { $inc: { total: 1 } }, { session })
  })
  await Basket.find({ customer: round % 5 })
    .sort('_id')
    .lean()
  await Basket.aggregate([{ $unwind: '$items' }, { $group: { _id: '$customer', sum: { $sum: '$items.price' } } }])
}
await connection.close()
