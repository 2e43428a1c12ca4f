#include "treesearch/function_tree.hpp"

#include "treesearch/best_first.hpp"

namespace prunus::PRUNUS_SET {
namespace {

class FunctionTree {
  public:
    FunctionTree(treesearch::BranchFunction function, int words, int children, int solution)
        : function_(function),
          words_(words),
          solution_(solution),
          written_(static_cast<std::size_t>(children) * words),
          bounds_(children) {}

    int words() const { return words_; }
    int rows() const { return static_cast<int>(bounds_.size()); }
    int solution() const { return solution_; }

    int branch(const treesearch::OpenNode& node, std::int64_t cutoff, const Limits& limits, Child* children,
               std::int64_t* found) {
        const int count = function_(node.words, node.bound, cutoff, treesearch::hurried(limits), written_.data(),
                                    bounds_.data(), found);
        for (int c = 0; c < count; c++) {
            children[c].bound = bounds_[c];
            std::copy_n(written_.data() + static_cast<std::size_t>(c) * words_, words_, children[c].words);
        }
        return count;
    }

  private:
    treesearch::BranchFunction function_;
    int words_, solution_;
    std::vector<std::int64_t> written_, bounds_;
};

std::unique_ptr<treesearch::BestFirstSearch> function_tree(treesearch::BranchFunction function, int words, int children,
                                                           int solution) {
    return std::make_unique<BestFirst<FunctionTree>>(FunctionTree(function, words, children, solution));
}

}  // namespace

const treesearch::BestFirstKernels& kernels(const treesearch::BestFirstKernels*) {
    static constexpr treesearch::BestFirstKernels table{.function_tree = function_tree};
    return table;
}

}  // namespace prunus::PRUNUS_SET
