#include "nn/net_evaluator-inl.h"

namespace berd {

template class NetEvaluator<Duel<false>>;
template class NetEvaluator<Duel<true>>;
template class NetEvaluator<Backgammon>;
template class NetEvaluator<Bradspel>;
template class NetEvaluator<Birth>;

}  // namespace berd
