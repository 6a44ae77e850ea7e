#include "nn/net_evaluator-inl.h"

namespace berd {

template class NetEvaluator<Race<Race2>>;
template class NetEvaluator<Race<Race4>>;
template class NetEvaluator<Race<Race16>>;
template class NetEvaluator<Race<Race4Valued>>;
template class NetEvaluator<Race<Race16Valued>>;

}  // namespace berd
